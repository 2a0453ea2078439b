// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

/// @dev A callback that a supporting token makes when the recipient receives tokens.
interface IRecipient {
    function tokensReceived() external;
}

/// @dev A token with a block list, as common stablecoins have, and optionally one further fault at
/// a time.
contract FickleToken is ERC20Permit {
    enum Fault {
        None,
        NoReturn,
        ReturnsFalse,
        TakesFee,
        GivesMore,
        PhantomPermit,
        Hook
    }

    error Refused(address payee);

    Fault public fault;
    mapping(address payee => bool) public refuses;
    IRecipient private immutable recipient;

    constructor(IRecipient recipient_) ERC20("Fickle", "FCK") ERC20Permit("Fickle") {
        recipient = recipient_;
        _mint(msg.sender, 1e30);
    }

    function misbehave(Fault fault_) external {
        fault = fault_;
    }

    function refuse(address payee, bool refused) external {
        refuses[payee] = refused;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        if (refuses[to]) revert Refused(to);
        if (fault == Fault.ReturnsFalse) return false;
        super.transfer(to, amount);
        if (fault == Fault.Hook && to == address(recipient)) recipient.tokensReceived();
        return _answer();
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        if (fault == Fault.ReturnsFalse) return false;
        super.transferFrom(from, to, amount);
        if (fault == Fault.TakesFee) _burn(to, amount / 100);
        if (fault == Fault.GivesMore) _mint(to, 1);
        return _answer();
    }

    function permit(
        address owner,
        address spender,
        uint256 value,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) public override {
        if (fault != Fault.PhantomPermit) {
            super.permit(owner, spender, value, deadline, v, r, s);
        }
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
