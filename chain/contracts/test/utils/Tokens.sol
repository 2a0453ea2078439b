// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @dev A token with one configurable fault at a time, each known from deployed tokens.
contract OddToken is ERC20 {
    enum Fault {
        None,
        NoReturn,
        RefusesPayee,
        ReturnsFalse
    }

    Fault public fault;
    address public refused;

    constructor() ERC20("Odd", "ODD") {
        _mint(msg.sender, 1e30);
    }

    function misbehave(Fault fault_, address refused_) external {
        (fault, refused) = (fault_, refused_);
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        if (to == refused && fault == Fault.RefusesPayee) revert("refused");
        if (to == refused && fault == Fault.ReturnsFalse) return false;
        super.transfer(to, amount);
        return _answer();
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        super.transferFrom(from, to, amount);
        return _answer();
    }

    function _answer() private view returns (bool) {
        if (fault == Fault.NoReturn) {
            assembly ("memory-safe") {
                return(0, 0)
            }
        }
        return true;
    }
}

/// @dev A token that, once armed, makes a call on every transfer.
contract HookToken is ERC20 {
    address private target;
    bytes private data;
    bool public called;
    bool public succeeded;
    bytes4 public reason;

    constructor() ERC20("Hook", "HOOK") {
        _mint(msg.sender, 1e30);
    }

    function arm(address target_, bytes calldata data_) external {
        (target, data, called, succeeded, reason) = (target_, data_, false, false, 0);
    }

    function _update(address from, address to, uint256 amount) internal override {
        super._update(from, to, amount);
        if (target == address(0)) return;
        address once = target;
        target = address(0);
        bytes memory answer;
        (succeeded, answer) = once.call(data);
        (called, reason) = (true, bytes4(answer));
    }
}
