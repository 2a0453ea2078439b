// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SignatureCheck} from "../src/SignatureCheck.sol";
import {deploy} from "./utils/Deploy.sol";
import {expectError, signatureOf, vm} from "./utils/Vm.sol";
import {KeyWallet, OddWallet, WalletFactory} from "./utils/Wallets.sol";

contract SignatureCheckTest {
    bool public constant IS_TEST = true;
    uint256 private constant KEY = 0xA1;
    bytes32 private constant HASH = keccak256("message");
    bytes32 private constant SUFFIX =
        0x6492649264926492649264926492649264926492649264926492649264926492;
    WalletFactory private factory;

    function setUp() external {
        factory = new WalletFactory();
    }

    function test_Key() external {
        _assertIs(true, vm.addr(KEY), signatureOf(KEY, HASH));
        _assertIs(false, vm.addr(KEY), signatureOf(0xBAD, HASH));
        _assertIs(false, vm.addr(KEY), signatureOf(KEY, bytes32(0)));
        _assertIs(false, vm.addr(KEY), "");
        _assertIs(false, vm.addr(KEY), new bytes(65));
        _assertIs(false, address(0), new bytes(65));
    }

    function test_HighS() external {
        uint256 order = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141;
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(KEY, HASH);
        bytes memory twin =
            abi.encodePacked(r, bytes32(order - uint256(s)), v == 27 ? uint8(28) : uint8(27));
        _assertIs(false, vm.addr(KEY), twin);
    }

    /// @dev An account that delegates to code (EIP-7702) can still sign with its key.
    function test_KeyWithCode() external {
        vm.etch(vm.addr(KEY), abi.encodePacked(hex"ef0100", address(factory)));
        _assertIs(true, vm.addr(KEY), signatureOf(KEY, HASH));
    }

    function test_Contract() external {
        address wallet = address(new KeyWallet(vm.addr(KEY)));
        _assertIs(true, wallet, signatureOf(KEY, HASH));
        _assertIs(false, wallet, signatureOf(0xBAD, HASH));
    }

    function test_OddContracts() external {
        _assertIs(true, address(new OddWallet(OddWallet.Answer.Yes)), hex"01");
        _assertIs(true, address(new OddWallet(OddWallet.Answer.Endless)), hex"01");
        _assertIs(false, address(new OddWallet(OddWallet.Answer.No)), hex"01");
        _assertIs(false, address(new OddWallet(OddWallet.Answer.Short)), hex"01");
        _assertIs(false, address(new OddWallet(OddWallet.Answer.Reverts)), hex"01");
    }

    function test_NotYetDeployed() external {
        address wallet = factory.addressOf(vm.addr(KEY));
        bytes memory make = abi.encodeCall(factory.make, (vm.addr(KEY)));
        _assertIs(true, wallet, _wrap(address(factory), make, signatureOf(KEY, HASH)));
    }

    function test_WrongKeyNotYetDeployed() external {
        address wallet = factory.addressOf(vm.addr(KEY));
        bytes memory make = abi.encodeCall(factory.make, (vm.addr(KEY)));
        _assertIs(false, wallet, _wrap(address(factory), make, signatureOf(0xBAD, HASH)));
    }

    function test_WrappedAndDeployed() external {
        address wallet = factory.make(vm.addr(KEY));
        _assertIs(true, wallet, _wrap(address(factory), "", signatureOf(KEY, HASH)));
    }

    /// @dev A key's signature in an ERC-6492 wrapper is invalid.
    function test_WrappedKey() external {
        _assertIs(false, vm.addr(KEY), _wrap(address(this), "", signatureOf(KEY, HASH)));
    }

    /// @dev A signature whose length is a multiple of 32 bytes has no padding before the ERC-6492
    /// suffix.
    function test_WrappedWithoutPadding() external {
        address wallet = address(new OddWallet(OddWallet.Answer.Yes));
        _assertIs(true, wallet, _wrap(address(factory), "", new bytes(96)));
    }

    function test_RevertWhen_NothingIsWrapped() external {
        vm.expectRevert();
        _run(address(0xBEEF), abi.encodePacked(SUFFIX));
    }

    function test_RevertWhen_FactoryFails() external {
        bytes memory signature = _wrap(address(factory), hex"deadbeef", signatureOf(KEY, HASH));
        expectError(SignatureCheck.DeploymentFailed.selector, address(factory));
        _run(address(0xBEEF), signature);
    }

    function test_RevertWhen_WrapperMalformed() external {
        vm.expectRevert();
        _run(address(0xBEEF), abi.encodePacked(hex"01", SUFFIX));
    }

    function _wrap(address maker, bytes memory data, bytes memory inner)
        private
        pure
        returns (bytes memory)
    {
        return abi.encodePacked(abi.encode(maker, data, inner), SUFFIX);
    }

    /// @dev Runs SignatureCheck as a contract creation. Its result is returned as the created
    /// contract's code.
    function _assertIs(bool want, address signer, bytes memory signature) private {
        bytes memory left = _run(signer, signature).code;
        vm.assertEq(left.length, 32);
        vm.assertEq(abi.decode(left, (bool)), want);
    }

    function _run(address signer, bytes memory signature) private returns (address) {
        bytes memory arguments = abi.encode(signer, HASH, signature);
        return deploy("SignatureCheck", arguments);
    }

    fallback() external {}
}
