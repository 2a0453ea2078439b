// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @dev A smart account that verifies signatures with its owner's key.
contract KeyWallet is IERC1271 {
    address private immutable key;

    constructor(address key_) {
        key = key_;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature)
        external
        view
        returns (bytes4)
    {
        (address signer,,) = ECDSA.tryRecoverCalldata(hash, signature);
        return signer == key ? IERC1271.isValidSignature.selector : bytes4(0);
    }
}

/// @dev A smart account that returns a configurable result for every signature.
contract OddWallet {
    enum Answer {
        Yes,
        No,
        Short,
        Reverts,
        Endless
    }

    Answer private immutable answer;

    constructor(Answer answer_) {
        answer = answer_;
    }

    fallback() external {
        if (answer == Answer.Reverts) revert("no");
        bytes32 word =
            answer == Answer.No ? bytes32(0) : bytes32(IERC1271.isValidSignature.selector);
        uint256 length = answer == Answer.Short ? 31 : answer == Answer.Endless ? 100_000 : 32;
        assembly ("memory-safe") {
            let start := mload(0x40)
            mstore(start, word)
            return(start, length)
        }
    }
}

/// @dev Deploys a `KeyWallet` to a predictable address.
contract WalletFactory {
    function make(address key) external returns (address) {
        return address(new KeyWallet{salt: 0}(key));
    }

    function addressOf(address key) external view returns (address) {
        bytes memory code = abi.encodePacked(type(KeyWallet).creationCode, abi.encode(key));
        bytes32 hash =
            keccak256(abi.encodePacked(hex"ff", address(this), bytes32(0), keccak256(code)));
        return address(uint160(uint256(hash)));
    }
}
